// Questions at the terminal, and a password from a pipe.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from './command.js'

export const isInteractive = (): boolean => process.stdin.isTTY === true

export const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}

const askHidden = async (question: string): Promise<string> => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // First the terminal stops echoing, then the question appears: what is pasted early is not shown either.
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

/** From standard input up to the first line break, or asked for twice. */
export const readPassword = async (fromStdin: boolean): Promise<string> => {
  if (fromStdin) return (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? ''
  if (!isInteractive())
    throw new CommandError('There is no terminal to ask at: give the password with --password-stdin.')
  const password = await askHidden('Password: ')
  if ((await askHidden('Again: ')) !== password)
    throw new CommandError('The two passwords differ; nothing was changed.')
  return password
}

/** Undefined where there is nobody to ask. A new one is asked for twice. */
export const readPassphrase = async (isNew: boolean): Promise<string | undefined> => {
  if (!isInteractive()) return undefined
  const passphrase = await askHidden('Passphrase of the backup: ')
  if (!isNew) return passphrase
  if (passphrase.length < 12) throw new CommandError('A passphrase has at least 12 characters; nothing was written.')
  if ((await askHidden('Again: ')) !== passphrase) throw new CommandError('The two differ; nothing was written.')
  return passphrase
}
