/* The ACL interface: runtime, devices, memory, streams, events. */
#ifndef ACLNN_SIMULATOR_ACL_H
#define ACLNN_SIMULATOR_ACL_H

#include "acl/acl_mdl.h"
#include "acl/acl_op.h"
#include "acl/acl_rt.h"

#endif
