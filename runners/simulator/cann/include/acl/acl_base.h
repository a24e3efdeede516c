/* Base types of the ACL interface. */
#ifndef ACLNN_SIMULATOR_ACL_BASE_H
#define ACLNN_SIMULATOR_ACL_BASE_H

#include "acl/acl_base_mdl.h"
#include "acl/acl_base_rt.h"

#endif
