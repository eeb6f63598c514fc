include common/simt/compute.mk
