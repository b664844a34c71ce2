// One secret of the installation, and what is derived from it: a key per purpose, so that what leaks in one place opens
// nothing in another.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Secrets {
  /** A keyed hash in hex: equal for equal texts, useless without the secret. */
  hash(purpose: string, text: string): string
  /** Text that can be shown again later; bound to its context, so that a row's value cannot be moved to another row. */
  seal(purpose: string, context: string, text: string): Buffer
  /** The text, or undefined when it was sealed by another secret or for another context. */
  open(purpose: string, context: string, sealed: Buffer): string | undefined
}

export const openSecrets = (secret: string): Secrets => {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = Buffer.from(hkdfSync('sha256', secret, '', `sheaf:${purpose}`, 32))
    keys.set(purpose, key)
    return key
  }
  return {
    hash: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('hex'),
    seal: (purpose, context, text) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (purpose, context, sealed) => {
      if (sealed.length < 28) return undefined
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, 12))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-16))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

/** Whether a start would find one. */
export const hasSecret = async (dataFolder: string): Promise<boolean> => (await findSecret(dataFolder)) !== undefined

/** The one in the data folder. */
export const findSecret = (dataFolder: string): Promise<string | undefined> => readSecret(secretFile(dataFolder))

const secretFile = (dataFolder: string): string => join(dataFolder, 'secret.key')

/** The installation's secret, made on the first start and kept in the data folder, readable by its owner only. */
export const loadOrMakeSecret = async (dataFolder: string): Promise<string> => {
  const file = secretFile(dataFolder)
  const existing = await readSecret(file)
  if (existing !== undefined) return existing
  return keepSecret(dataFolder, randomBytes(32).toString('hex'))
}

/** Unless there is one; answers the one that is there then. */
export const keepSecret = async (dataFolder: string, secret: string): Promise<string> => {
  const file = secretFile(dataFolder)
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, secret, { mode: 0o600, flush: true })
  // `link` fails when the file is there: of two starts at once, both use the one that came first.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await unlink(draft)
  return (await readSecret(file)) as string
}

/** A file that cannot be read, or was emptied, must not be taken for a new installation: every token would be lost. */
export class SecretUnreadable extends Error {}

const shortest = 16

const readSecret = async (file: string): Promise<string | undefined> => {
  try {
    const secret = (await readFile(file, 'utf8')).trim()
    if (secret.length >= shortest) return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SecretUnreadable(`The secret of this installation cannot be read: ${(error as Error).message}`)
  }
  throw new SecretUnreadable(`The secret in ${file} is shorter than ${shortest} characters. Restore it from a backup.`)
}
