// What phones ask for every quarter of an hour: the list of a project, whole, packed, and as 304; beside the same SELECT over pg.
import autocannon from 'autocannon'
import { prepareForm } from '../account.js'
import { openPool } from '../database.js'
import { newDataDir, removeDataDir, startServer } from '../server.js'
import type { Workload } from '../workload.js'

const connections = 8

/** Copies in the database: publishing 500 forms takes a minute, and the list reads nothing else of them. */
const copyForm = async (dataDir: string, formId: number, count: number): Promise<void> => {
  const pool = openPool(dataDir, 1)
  try {
    await pool.query(
      `with copied as (
        insert into forms (project_id, owner_id, uuid, id_string, id_key, sms_id_string, title, created_at, modified_at, published_at)
        select project_id, owner_id, md5(n::text), 'copy' || n, 'copy' || n, 'copy' || n, 'Copy ' || n, created_at, modified_at,
          published_at
        from forms, generate_series(1, $2::int) n where id = $1 returning id)
      insert into form_versions (form_id, number, version, title, xml, hash, model, created_at, modified_at)
      select copied.id, 1, version, title, xml, hash, model, created_at, modified_at
      from copied, form_versions where form_id = $1`,
      [formId, count],
    )
    await pool.query('analyze')
  } finally {
    await pool.end()
  }
}

/** Nothing but the rows that the list is made of. */
const rawLists = async (dataDir: string, seconds: number): Promise<number> => {
  const pool = openPool(dataDir, connections)
  const text = `select forms.id, id_string, forms.title, versions.version, versions.hash, forms.description
    from forms join form_versions versions on versions.form_id = forms.id and versions.number = forms.version_number`
  const end = performance.now() + seconds * 1000
  let count = 0
  const run = async () => {
    for (; performance.now() < end; count++) await pool.query({ name: 'list', text })
  }
  await Promise.all(Array.from({ length: connections }, run))
  await pool.end()
  return count / seconds
}

const rate = async (url: string, seconds: number, headers: Record<string, string>, status: '2xx' | '3xx') => {
  const result = await autocannon({ url, connections, duration: seconds, headers })
  const answered = result[status]
  if (result.errors > 0 || answered === 0) throw new Error(`${result.errors} failed, ${answered} were ${status}`)
  return answered / result.duration
}

export const formList: Workload = {
  name: 'form-list',
  description: 'the list of a project of 500 forms as phones ask for it, 8 connections',
  run: async ({ isQuick, progress }) => {
    const dataDir = newDataDir()
    const server = await startServer(dataDir)
    try {
      progress(0, 'writing forms')
      const { token, formId } = await prepareForm(server.address)
      await copyForm(dataDir, formId, 499)
      const url = `${server.address}/ana/formList`
      const plain = { authorization: `Token ${token}` }
      const packed = { ...plain, 'accept-encoding': 'gzip' }
      const first = await fetch(url, { headers: packed })
      const known = { ...packed, 'if-none-match': first.headers.get('etag') ?? '' }
      if ((await first.text()).split('<formID>').length !== 501) throw new Error('The list has not 500 forms')
      const seconds = isQuick ? 1 : 4
      const rounds = isQuick ? 2 : 3
      const best = { plain: 0, packed: 0, known: 0, raw: 0 }
      server.rest()
      for (let round = 0; round < rounds; round++) {
        progress((round + 1) / (rounds + 1), `round ${round + 1} of ${rounds}`)
        best.plain = Math.max(best.plain, await rate(url, seconds, plain, '2xx'))
        best.packed = Math.max(best.packed, await rate(url, seconds, packed, '2xx'))
        best.known = Math.max(best.known, await rate(url, seconds, known, '3xx'))
        best.raw = Math.max(best.raw, await rawLists(dataDir, seconds))
      }
      const limit = { name: 'the same rows over pg', value: best.raw }
      const share = best.known / best.plain
      return {
        workload: 'form-list',
        figures: [
          { name: 'lists of 500 forms', value: best.plain, unit: '/s', limit },
          { name: 'the same packed', value: best.packed, unit: '/s', limit },
          { name: 'the same as 304', value: best.known, unit: '/s', limit },
          {
            name: '304 as a share of whole lists',
            value: share,
            unit: '',
            aim: { text: '≥ 0.95', isMet: share >= 0.95 },
          },
          ...server.strain(),
        ],
      }
    } finally {
      await server.stop()
      removeDataDir(dataDir)
    }
  },
}
