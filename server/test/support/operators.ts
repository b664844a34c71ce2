import { updateOperator } from '../../src/features/users/index.js'
import type { Account, TestApp } from './app.js'

/** As `sheaf user operator` does it. */
export const newOperator = async (app: TestApp, fields: Record<string, unknown> = {}): Promise<Account> => {
  const account = await app.account(fields)
  await updateOperator(app.deps.db, account.id, true)
  return account
}
