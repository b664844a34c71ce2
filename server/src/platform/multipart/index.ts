export {
  MultipartMalformed,
  MultipartTooLarge,
  MultipartWantsTooMuch,
  type Part,
  partsIn,
  readMultipart,
} from './multipart.js'
