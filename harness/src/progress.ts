import { SingleBar } from 'cli-progress'

export const print = (text: string): void => void process.stdout.write(text)

/** How much is done, from 0 to 1, and what is being done. */
export type Tell = (share: number, what: string) => void

const mostCharacters = 80

/** A bar for people; for a log, a line for each part. */
export const showProgress = (name = ''): { readonly tell: Tell; stop(): void } => {
  if (process.stdout.isTTY !== true) {
    let last = ''
    const tell: Tell = (_share, what) => {
      const part = what.split(':', 1)[0] ?? ''
      if (part !== last && name === '') print(`  ${part}\n`)
      last = part
    }
    return { tell, stop: () => undefined }
  }
  const format = `  {bar} ${name === '' ? '' : `${name}: `}{what}`
  const bar = new SingleBar({ format, clearOnComplete: true, hideCursor: true })
  bar.start(1000, 0, { what: 'starting' })
  return {
    tell: (share, what) => bar.update(Math.round(share * 1000), { what: what.slice(0, mostCharacters) }),
    stop: () => bar.stop(),
  }
}
