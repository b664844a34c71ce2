// Lists in the order of their keys, read side by side; and work on a list, some at once, with the outcome in its order.

/** What a sorted list has for a key. Keys are asked for in their order. */
export class Sorted<T extends { readonly key: string }> {
  readonly #rest: AsyncIterator<T>
  #next: IteratorResult<T> | undefined

  constructor(list: AsyncIterable<T>) {
    this.#rest = list[Symbol.asyncIterator]()
  }

  async at(key: string): Promise<T | undefined> {
    this.#next ??= await this.#rest.next()
    while (this.#next.done !== true && this.#next.value.key < key) this.#next = await this.#rest.next()
    return this.#next.done !== true && this.#next.value.key === key ? this.#next.value : undefined
  }

  async close(): Promise<void> {
    await this.#rest.return?.()
  }
}

/** At most `atOnce` are in hand. When one fails, the others in hand are waited for, and no more are begun. */
export async function* inOrder<T, U>(
  list: AsyncIterable<T>,
  atOnce: number,
  work: (one: T) => Promise<U>,
): AsyncGenerator<U> {
  const inHand: Promise<U>[] = []
  const next = async (): Promise<U> => (await inHand.shift()) as U
  try {
    for await (const one of list) {
      const begun = work(one)
      begun.catch(() => undefined)
      inHand.push(begun)
      if (inHand.length >= atOnce) yield await next()
    }
    while (inHand.length > 0) yield await next()
  } finally {
    await Promise.allSettled(inHand)
  }
}
