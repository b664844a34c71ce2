export { limitKey, plainAddress, readerOf, sharingReaderOf } from './addresses.js'
export { authorizationWords, schemeOf } from './authorization.js'
export { basicChallenge, proofHeader, signInFirst, tokenChallenge } from './challenges.js'
export { type Content, dispositionOf, sendContent } from './content.js'
export { answerEarly } from './early-answers.js'
export { sendError } from './error-handler.js'
export { asksForPage, type ErrorRenderer, htmlErrors, jsonErrors, pageOrJsonErrors } from './error-renderers.js'
export * from './errors.js'
export { docsPath, type Format, mediaTypes, originForm } from './formats.js'
export { pageHeaders } from './headers.js'
export { escapeHtml, page, tokens } from './html.js'
export { partId } from './ids.js'
export { Kept } from './kept.js'
export { otherSiteRule, sessionRule } from './other-sites.js'
export { largestPageSize, type Page, PageQuery, pageOf, sendLinks, sendTotal } from './pagination.js'
export { sendJsonPieces } from './pieces.js'
export { redirectCheck, withParameters } from './redirects.js'
export {
  Bytes,
  Detail,
  errors,
  Faults,
  FilePart,
  Html,
  inMedia,
  NoBody,
  orAlso,
  orBytes,
  orPage,
  Redirect,
  RedirectInWords,
  refusals,
  sendJsonText,
  Unchanged,
} from './responses.js'
export { type App, type Authenticate, anonymous, type Caller } from './room.js'
export type { RouteEntry } from './routes.js'
export { createHttpServer, type DeviceDoor, type HttpServer, type PagesWithoutRoutes } from './server.js'
export { refuseFields, textFault } from './text-faults.js'
export { baseName, readUploads, type UploadedFile, type UploadedForm } from './uploads.js'
export { type Check, isEmail, readBody } from './validation.js'
