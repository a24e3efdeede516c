/* Present so that includes resolve: the single-operator model interface is not simulated. */
#ifndef ACLNN_SIMULATOR_ACL_OP_H
#define ACLNN_SIMULATOR_ACL_OP_H
#endif
