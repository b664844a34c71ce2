import { beforeAll, describe, expect, it } from 'vitest'
import { type Account, testApp } from '../../../../test/support/app.js'
import { multipart } from '../../../../test/support/multipart.js'
import { budgets } from '../../../budgets.js'
import { openCompilers } from './compilers.js'

const app = testApp()
let ana: Account
let ben: Account
beforeAll(async () => {
  ana = await app.account()
  ben = await app.account()
})

/** With 30,000 rows a second of work or more. */
const large = (rows: number) =>
  `survey\n,type,name,label\n,select_one l,q,Q\nchoices\n,list_name,name,label\n${Array.from({ length: rows }, (_, at) => `,l,c${at},Choice ${at}`).join('\n')}`

const publish = (account: Account, content: string, filename: string) => {
  const { body, headers } = multipart([{ name: 'xls_file', filename, type: 'text/csv', content }])
  return app.as(account)('POST', '/forms', { body, headers })
}

describe('forms of one account', () => {
  it('keep nobody else waiting, however large and many they are', async () => {
    // The thread starts once.
    expect((await publish(ben, 'survey\n,type,name,label\n,text,a,A\n', 'first.csv')).statusCode).toBe(201)
    const sent = large(30_000)
    const order: string[] = []
    const mine = Array.from({ length: 3 }, (_, at) =>
      publish(ana, sent, `large${at}.csv`).finally(() => order.push('a')),
    )
    const answer = await publish(ben, 'survey\n,type,name,label\n,text,b,B\n', 'other.csv').finally(() =>
      order.push('b'),
    )
    expect(answer.statusCode).toBe(201)
    // At most the first of them was done by then.
    expect(order.indexOf('b')).toBeLessThan(2)
    await Promise.all(mine)
  }, 240_000)

  it('wait up to budgets.compiler.each.waiting; 503 with Retry-After for one more', async () => {
    const compilers = openCompilers()
    const { compile } = compilers.forAccount({ id: 1 })
    const form = Buffer.from('survey\n,type,name,label\n,text,a,A\n')
    const all = Array.from({ length: 1 + budgets.compiler.each.waiting }, () => compile(form))
    await expect(compile(form)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(await compilers.forAccount({ id: 2 }).compile(form)).toMatchObject({ formId: expect.any(String) })
    expect(await Promise.all(all)).toHaveLength(all.length)
    await compilers.close()
  }, 60_000)

  it('end after budgets.compiler.milliseconds, in words; the next one is compiled', async () => {
    const compilers = openCompilers({ ...budgets.compiler, milliseconds: 300 })
    const { compile } = compilers.forAccount({ id: 1 })
    await expect(compile(Buffer.from(large(300_000)))).rejects.toThrow(/second/)
    expect(await compile(Buffer.from('survey\n,type,name,label\n,text,a,A\n'))).toBeDefined()
    await compilers.close()
  }, 60_000)

  it('400 in words for a survey of more rows than are read, before anything is made of them', async () => {
    const rows = Array.from({ length: 50_001 }, (_, at) => `,text,q${at},Q`).join('\n')
    const answer = await publish(ana, `survey\n,type,name,label\n${rows}\n`, 'rows.csv')
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('more than 50000 rows')
  }, 60_000)
})
