import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/database.js'
import { migrationsFolder } from '../../paths.js'
import { migrate, sql } from '../../platform/db/index.js'

it('accounts that have a name which is reserved now keep it', async () => {
  const { db, drop } = await testDatabase({ from: 'template0' })
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-migrations-'))
  try {
    for (const file of await readdir(migrationsFolder)) {
      if (Number(file.slice(0, 4)) < 26) await cp(join(migrationsFolder, file), join(folder, file))
    }
    await migrate(db, folder)
    await db.run(sql`insert into users (username, joined_at) values ('key', now()), ('test', now())`)
    await migrate(db, migrationsFolder)
    const names = await db.rows<{ username: string }>(sql`select username from users order by username`)
    expect(names.map(({ username }) => username)).toEqual(['key', 'test'])
  } finally {
    await rm(folder, { recursive: true, force: true })
    await drop()
  }
})
