// Names of other servers to addresses. The system's own look-up holds one of two threads, which the whole process shares,
// for as long as a name's servers let it wait; and names are given by users. So the name servers are asked directly,
// without a thread and with an end, and the system only for what they do not know, one name at a time.
import { promises as dns, type LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { inTurn } from '../concurrency/index.js'

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>

interface Sources {
  readonly hostsFile: string
  /** Other than the system's, for tests. */
  readonly servers?: readonly string[]
  readonly system: Lookup
  readonly milliseconds: number
}

const unanswered = (host: string) => Object.assign(new Error(`${host} could not be looked up`), { code: 'EAI_AGAIN' })

const asAddress = (address: string): LookupAddress => ({ address, family: isIP(address) })

/** What takes longer is not waited for. */
export const within = async <T>(milliseconds: number, host: string, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unanswered(host)), milliseconds)
  })
  return Promise.race([work, end]).finally(() => clearTimeout(timer))
}

const fromFile = async (file: string, host: string): Promise<LookupAddress[]> => {
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
  const found = lines.filter(([address = '', ...names]) => isIP(address) !== 0 && names.includes(host))
  return found.map(([address = '']) => asAddress(address))
}

/** Codes of a server that is there and does not know the name, and of none that could be asked. */
const isUnknown = (error: NodeJS.ErrnoException): boolean =>
  ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ECONNREFUSED', 'ENOTIMP', 'EREFUSED'].includes(error.code ?? '')

const fromServers = async (host: string, { servers, milliseconds }: Sources): Promise<LookupAddress[]> => {
  const resolver = new dns.Resolver({ timeout: milliseconds / 2, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), milliseconds)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.map(asAddress) : []))
  const isAnswered = answers.every((answer) => answer.status === 'fulfilled' || isUnknown(answer.reason))
  if (found.length === 0 && !isAnswered) throw unanswered(host)
  return found
}

/** One at a time; whoever waits too long for their turn gives it up. */
const oneAtATime = (lookup: Lookup, milliseconds: number): Lookup => {
  const turns = inTurn()
  return async (host) => {
    let hasLeft = false
    const turn = turns('system', async () => (hasLeft ? [] : lookup(host)))
    return within(milliseconds, host, turn).catch((error) => {
      hasLeft = true
      throw error
    })
  }
}

export const openNames = (sources: Sources): Lookup => {
  const system = oneAtATime(sources.system, sources.milliseconds)
  return async (name) => {
    const host = name.toLowerCase().replace(/\.$/, '')
    if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1', '::1'].map(asAddress)
    const listed = await fromFile(sources.hostsFile, host)
    if (listed.length > 0) return listed
    const found = await fromServers(host, sources)
    return found.length > 0 ? found : system(host)
  }
}

/** Longest wait for the addresses of a name. */
export const lookupMilliseconds = 5000

export const systemNames = (): Lookup =>
  openNames({
    hostsFile: process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts',
    system: (host) => dns.lookup(host, { all: true }),
    milliseconds: lookupMilliseconds,
  })
