// What a service worker is given by the browser, as far as this one uses it. The types of workers and of pages exclude each other.
interface Lasting extends Event {
  waitUntil(until: Promise<unknown>): void
}

interface Asked extends Lasting {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface Told extends Lasting {
  readonly data: unknown
}

interface Woken extends Lasting {
  readonly tag: string
}

interface Events {
  readonly install: Lasting
  readonly activate: Lasting
  readonly fetch: Asked
  readonly message: Told
  readonly sync: Woken
}

export interface WorkerScope {
  readonly location: Location
  readonly clients: { claim(): Promise<void>; matchAll(): Promise<readonly unknown[]> }
  readonly registration: { readonly waiting: { postMessage(message: unknown): void } | null }
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Events>(name: Name, run: (event: Events[Name]) => void): void
}
