export { type S3StandIn, startS3StandIn } from '../../../harness/src/s3.js'
