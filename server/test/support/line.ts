// A line between a browser and the server that can be cut: at once, or in the middle of an answer. The browser knows one address,
// whichever server stands behind it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What happens to the next answer to a post: it is not delivered. The server has stored what was posted. */
type Cut = () => unknown

export class Line {
  #server: Server | undefined
  #port = 0
  #upstream = 0
  #isCut = false
  #cutAnswer: Cut | undefined
  readonly #sockets = new Set<Socket>()
  /** Posts of filled forms that went through, and what was answered. */
  readonly posts: string[] = []

  get address(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async open(upstream: string): Promise<this> {
    this.lead(upstream)
    this.#server = createServer((socket) => this.#carry(socket))
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
    return this
  }

  /** To another server. */
  lead(upstream: string): void {
    this.#upstream = Number(new URL(upstream).port)
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#isCut = false
  }

  /** The next answer to a filled form is lost on its way; `then` is told in that moment. */
  loseAnswer(then: Cut = () => undefined): void {
    this.#cutAnswer = then
  }

  async close(): Promise<void> {
    this.cut()
    this.#server?.close()
  }

  #carry(socket: Socket): void {
    if (this.#isCut) return void socket.destroy()
    const upstream = connect(this.#upstream, '127.0.0.1')
    let isPosting = false
    const end = () => {
      socket.destroy()
      upstream.destroy()
    }
    for (const one of [socket, upstream]) {
      this.#sockets.add(one)
      one.on('error', end)
      one.on('close', () => {
        this.#sockets.delete(one)
        end()
      })
    }
    socket.on('data', (chunk) => {
      const head = chunk.toString('latin1', 0, 200)
      if (/^[A-Z]+ \//.test(head)) isPosting = /^POST \S*\/submission /.test(head)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1', 0, 20))?.[1]
      if (isPosting && status !== undefined && status !== '100') this.posts.push(status)
      const cut = isPosting && status !== '100' ? this.#cutAnswer : undefined
      if (cut === undefined) return void socket.write(chunk)
      this.#cutAnswer = undefined
      cut()
      end()
    })
  }
}
