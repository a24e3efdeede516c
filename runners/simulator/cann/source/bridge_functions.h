/* Functions that the Python side implements; each fills the answer. Read by cffi alone. */
/* Phase 1 of an API on a SoC. */
void aclnn_simulator_prepare(const char *api, const char *soc, const BridgeArgument *arguments, uint64_t count,
                             BridgeAnswer *answer);
/* Phase 2 as far as the host sees it: may this call run now? */
void aclnn_simulator_launch(uint64_t call, int32_t workspace_is_null, BridgeAnswer *answer);
/* The work itself, on one span for each tensor in order of arguments. */
void aclnn_simulator_execute(uint64_t call, const BridgeSpan *tensors, uint64_t count, const BridgeSpan *workspace,
                             BridgeAnswer *answer);
/* Lets a prepared call run more than once. */
void aclnn_simulator_repeat(uint64_t call, BridgeAnswer *answer);
/* Forgets a prepared call. */
void aclnn_simulator_drop(uint64_t call, BridgeAnswer *answer);
