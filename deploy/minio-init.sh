#!/bin/sh
# Makes Millrace's bucket in the MinIO that MC_HOST_store leads to, and the access key `millrace`, which may do there what
# minio-policy.json says and nothing elsewhere. It may be run any number of times; another secret takes the place of the old one.
set -eu
: "${MILLRACE_S3_SECRET_ACCESS_KEY:?set it to at least 8 letters and digits, see deploy/env.example}"

mc mb --ignore-existing store/millrace
mc admin policy create store millrace /etc/millrace/minio-policy.json
mc admin user add store millrace "$MILLRACE_S3_SECRET_ACCESS_KEY"
# Attaching what is attached is an error.
case "$(mc admin user info store millrace)" in
  *olicyName*millrace*) ;;
  *) mc admin policy attach store millrace --user millrace ;;
esac
