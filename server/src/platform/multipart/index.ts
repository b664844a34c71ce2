export { MultipartMalformed, MultipartTooLarge, type Part, readMultipart } from './multipart.js'
