/* Present so that includes resolve: graph-engine codes never come from the simulated CANN. */
#ifndef ACLNN_SIMULATOR_GE_ERROR_CODES_H
#define ACLNN_SIMULATOR_GE_ERROR_CODES_H
#endif
