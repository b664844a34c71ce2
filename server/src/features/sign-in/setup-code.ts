// The code that makes the first account: whoever can read what the server prints is whoever runs it. An address proves nothing:
// behind a proxy or a tunnel on the same machine everybody comes from there.
import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../platform/deps.js'

/** Without those that are taken for one another when they are typed. */
const letters = '23456789abcdefghjkmnpqrstuvwxyz'
const codeLength = 12
const groupLength = 4

/** Follows from the installation's secret, so that every process knows it and a restart prints the same one. */
export const setupCode = ({ secrets }: Pick<Deps, 'secrets'>): string => {
  let rest = BigInt(`0x${secrets.hash('setup', 'first account').slice(0, 32)}`)
  const size = BigInt(letters.length)
  const drawn = Array.from({ length: codeLength }, () => {
    const letter = letters[Number(rest % size)]
    rest /= size
    return letter
  }).join('')
  return [0, 1, 2].map((group) => drawn.slice(group * groupLength, (group + 1) * groupLength)).join('-')
}

/** With or without the strokes, in any case: it may be typed by hand. */
const plain = (code: string): Buffer => Buffer.from(code.toLowerCase().replace(/[^a-z0-9]/g, ''))

export const isSetupCode = (deps: Pick<Deps, 'secrets'>, given: string): boolean => {
  const [right, sent] = [plain(setupCode(deps)), plain(given)]
  return right.length === sent.length && timingSafeEqual(right, sent)
}
