import type { Deps } from '../../platform/deps.js'
import { invalid } from '../../platform/http/index.js'
import { confirmPassword } from '../credentials/index.js'

const wrong = (message: string) => invalid({ password: [message] })

/** 400 for a wrong password; each counts as one of a change of password does. */
export const confirm = async (deps: Deps, userId: number, password: string): Promise<void> => {
  const confirmation = await confirmPassword(deps, userId, password)
  switch (confirmation.outcome) {
    case 'confirmed':
      return
    case 'wrong':
      throw wrong(`Invalid password. You have ${confirmation.attemptsLeft} attempts left.`)
    case 'locked':
      throw wrong(`Too many wrong passwords. Try again in ${confirmation.minutes} minutes.`)
  }
}
