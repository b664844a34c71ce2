// How far it is, in one line of a terminal; nothing where nobody looks.
import type { Progress } from '../features/backups/index.js'

const everyMs = 100
const number = (value: number): string => value.toLocaleString('en')

export const inBytes = (bytes: number): string => {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return step === 0 ? `${number(bytes)} bytes` : `${(bytes / 1000 ** step).toFixed(1)} ${units[step]}`
}

/** What was lost before is told in any case. */
export const watching = (): { progress: Progress; done(): void } => {
  const isWatched = process.stderr.isTTY === true
  let shown = 0
  const show = (text: string): void => {
    const now = performance.now()
    if (!isWatched || now - shown < everyMs) return
    shown = now
    process.stderr.write(`\r\x1b[K${text}`)
  }
  const clear = () => void (isWatched && process.stderr.write('\r\x1b[K'))
  const words = { missing: 'is not in the store', damaged: 'copied as it is' } as const
  return {
    progress: {
      onRows: (table, rows) => show(`${table}: ${number(rows)} rows`),
      onFile: (done, all, bytes) => show(`${number(done)} of ${number(all)} files, ${inBytes(bytes)} copied`),
      onLoss: (kind, what) => {
        clear()
        process.stderr.write(`WARNING: ${what}: ${words[kind]}\n`)
      },
    },
    done: clear,
  }
}
