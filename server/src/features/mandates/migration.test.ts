import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testDatabase } from '../../../test/support/database.js'
import { migrationsFolder } from '../../paths.js'
import { migrate, sql } from '../../platform/db/index.js'

it('what was made before acts for its maker; of whoever is not known, for the account that owns the form', async () => {
  const { db, drop } = await testDatabase({ from: 'template0' })
  const folder = await mkdtemp(join(tmpdir(), 'sheaf-before-'))
  try {
    const earlier = (await readdir(migrationsFolder)).filter((name) => Number(name.slice(0, 4)) < 16)
    for (const name of earlier) await cp(join(migrationsFolder, name), join(folder, name))
    await migrate(db, folder)
    await db.run(sql`insert into users (username, joined_at) values ('owner', now()), ('maker', now())`)
    await db.run(sql`
      insert into projects (name, name_key, owner_id, created_at, modified_at) values ('P', 'p', 1, now(), now())`)
    await db.run(sql`
      insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at,
        published_at)
      values (1, 1, 'u', 'f', 'f', 'f', 'F', now(), now(), now())`)
    await db.run(sql`
      insert into rest_services (form_id, kind, service_url, secret, created_by, created_at, modified_at)
      values (1, 'generic_json', 'https://a.example/', '', 2, now(), now()),
        (1, 'generic_json', 'https://b.example/', '', null, now(), now())`)
    await db.run(sql`
      insert into widgets (key, form_id, position, widget_type, view_type, column_name, created_by, created_at,
        modified_at)
      values ('a', 1, 0, 'charts', 'pie', 'age', 2, now(), now()), ('b', 1, 1, 'charts', 'pie', 'age', null, now(), now())`)
    await migrate(db, migrationsFolder)
    for (const table of [sql`rest_services`, sql`widgets`])
      expect(await db.rows(sql`select acts_for as "actsFor" from ${table} order by id`)).toEqual([
        { actsFor: 2 },
        { actsFor: 1 },
      ])
  } finally {
    await drop()
    await rm(folder, { recursive: true })
  }
})
