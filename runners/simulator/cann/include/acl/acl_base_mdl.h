/* Present so that includes resolve: model execution is not simulated. */
#ifndef ACLNN_SIMULATOR_ACL_BASE_MDL_H
#define ACLNN_SIMULATOR_ACL_BASE_MDL_H
#endif
