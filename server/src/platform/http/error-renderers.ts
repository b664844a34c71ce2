// A protocol is a renderer: the same error printed as JSON for programs or as a page for people.
import type { FastifyRequest } from 'fastify'
import type { AppError } from './errors.js'
import { pageHeaders } from './headers.js'
import { escapeHtml, page } from './html.js'

export type ErrorRenderer = (
  error: AppError,
  requestId: string,
  request: Pick<FastifyRequest, 'headers'>,
) => { contentType: string; body: string; headers?: Readonly<Record<string, string>> }

/** Browsers say that they take pages; programs that take anything do not. */
export const asksForPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.accept?.includes('text/html') === true

export const jsonErrors: ErrorRenderer = (error, requestId) => ({
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify(
    error.body ?? error.fields ?? { detail: error.message, ...(error.status >= 500 && { request_id: requestId }) },
  ),
})

export const htmlErrors: ErrorRenderer = (error, requestId) => ({
  contentType: 'text/html; charset=utf-8',
  body: page(
    String(error.status),
    `<h1>${error.status === 404 ? 'There is nothing here' : 'That did not work'}</h1>
     <p>${escapeHtml(error.message)}</p>
     ${error.status >= 500 ? `<p>Request id: <code>${escapeHtml(requestId)}</code></p>` : ''}
     <p><a href="/">Back to the start</a></p>`,
  ),
})

/** For addresses of the API that people open too: a page for browsers, JSON for programs. */
export const pageOrJsonErrors: ErrorRenderer = (error, requestId, request) =>
  asksForPage(request)
    ? { ...htmlErrors(error, requestId, request), headers: pageHeaders }
    : jsonErrors(error, requestId, request)
