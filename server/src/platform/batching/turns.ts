/** Whatever else comes in with this turn of the event loop goes along. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
