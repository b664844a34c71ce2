export { MultipartMalformed, MultipartTooLarge, MultipartWantsTooMuch, type Part, readMultipart } from './multipart.js'
