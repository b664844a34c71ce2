// The same server after a new version of the program was put on it: everything is the old one's but the page and the worker.
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const renewed = (path: string, body: string): string =>
  path === '/f/sw.js'
    ? body.replace(/version:\s*(["'`])[0-9a-f]{12}\1/, 'version:"newer0000000"')
    : body.replace('<title>', '<meta name="program" content="newer"><title>')

export class NewerProgram {
  readonly #upstream: URL
  #server: Server | undefined
  address = ''
  /** The new worker does not take over, whoever asks it to: as where the browser finds that the old one is still at work. */
  isStubborn = false

  constructor(upstream: string) {
    this.#upstream = new URL(upstream)
  }

  async open(): Promise<this> {
    const { hostname: host, port } = this.#upstream
    this.#server = createServer((incoming, response) => {
      const { method, url: path = '/', headers } = incoming
      const isProgram =
        path === '/f/sw.js' || (headers.accept?.includes('text/html') === true && path.startsWith('/f/'))
      const asked = { ...headers, ...(isProgram && { 'accept-encoding': 'identity' }) }
      const outgoing = request({ host, port, method, path, headers: asked }, async (answer) => {
        const { 'content-length': _, ...rest } = answer.headers
        if (!isProgram) {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          return void answer.pipe(response)
        }
        response.writeHead(answer.statusCode ?? 500, rest)
        const body = renewed(path, Buffer.concat(await answer.toArray()).toString())
        response.end(this.isStubborn ? body.replaceAll('skipWaiting()', 'clients.matchAll()') : body)
      })
      outgoing.on('error', () => response.destroy())
      incoming.pipe(outgoing)
    }).listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.address = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}
