include common/simt/compute.mk
include common/simt/access.mk
