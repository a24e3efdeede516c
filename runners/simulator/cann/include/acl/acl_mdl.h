/* Present so that includes resolve: model execution is not simulated. */
#ifndef ACLNN_SIMULATOR_ACL_MDL_H
#define ACLNN_SIMULATOR_ACL_MDL_H
#endif
