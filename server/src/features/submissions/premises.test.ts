import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { FoundForm } from '../forms/index.js'
import type { FoundKey } from '../keys/index.js'
import { Precedents, type Submitter } from './premises.js'
import type { Arrival } from './submission.js'

describe('what is remembered', () => {
  const arrival = (formId: string) =>
    ({ formUuid: null, formId, deprecatedId: null, isEncrypted: false, version: null }) as Arrival
  const caller = { id: 1, username: 'ana', isAnonymous: false, credential: { kind: 'api', hash: 'h' } }
  const submitter = { caller, key: null, scope: { kind: 'account', username: 'ana' }, signedIn: undefined } as const
  const found = (idString: string) => ({ id: 1, idString, owner: 'ana', version: '1', publicKey: '' }) as FoundForm

  it('is of one sender and one form, and nothing endless', () => {
    const precedents = new Precedents()
    const long = 'x'.repeat(251)
    for (const id of ['visit', long]) precedents.remember('ana', arrival(id), submitter, found(id))
    expect(precedents.find('ana', arrival('visit'))?.form.idString).toBe('visit')
    expect(['ana', 'ben'].map((sender) => precedents.has(sender))).toEqual([true, false])
    expect(precedents.find('ben', arrival('visit'))).toBeUndefined()
    expect(precedents.find('ana', arrival('other'))).toBeUndefined()
    expect(precedents.find('ana', arrival(long))).toBeUndefined()
    const endless = `Token ${' '.repeat(500)}`
    precedents.remember(endless, arrival('visit'), submitter, found('visit'))
    expect(precedents.has(endless)).toBe(false)
    for (const other of [{ deprecatedId: 'a' }, { isEncrypted: true }, { version: '2' }]) {
      expect(precedents.find('ana', { ...arrival('visit'), ...other })).toBeUndefined()
    }
  })

  it('is not of a link, which is counted exactly, nor of a key of one form', () => {
    const precedents = new Precedents()
    const keys = [
      { kind: 'device', formId: null },
      { kind: 'device', formId: 1 },
      { kind: 'link', formId: null },
    ]
    for (const [place, key] of keys.entries()) {
      const byKey = {
        ...submitter,
        key: { ...key, tokenId: 1, name: 'key' } as FoundKey,
        scope: { kind: 'key' } as never,
      }
      precedents.remember(`key ${place}`, arrival('visit'), byKey, found('visit'))
    }
    expect(keys.map((_, place) => precedents.has(`key ${place}`))).toEqual([true, false, false])
  })

  it('is not of a form that is encrypted, nor of one that others share with the caller', () => {
    const precedents = new Precedents()
    const forms = [found('visit'), { ...found('visit'), publicKey: 'MII' }, { ...found('visit'), owner: 'ben' }]
    for (const [place, form] of forms.entries()) {
      precedents.remember(`sender ${place}`, arrival('visit'), submitter, form)
    }
    expect(forms.map((_, place) => precedents.has(`sender ${place}`))).toEqual([true, false, false])
  })

  it('is of a token, or of a password whose names are known, and of no other way to sign in', () => {
    const precedents = new Precedents()
    const names = { names: ['ana'], address: '127.0.0.1' }
    const ways = [
      ['api', undefined],
      ['password', names],
      ['password', undefined],
      ['session', undefined],
      ['session', names],
    ] as const
    for (const [place, [kind, signedIn]] of ways.entries()) {
      const by = { ...caller, credential: { kind, hash: 'h' } }
      precedents.remember(`sender ${place}`, arrival('visit'), { ...submitter, caller: by, signedIn }, found('visit'))
    }
    expect(ways.map((_, place) => precedents.has(`sender ${place}`))).toEqual([true, true, false, false, false])
  })

  it('is of the form that is named: by its identifier wherever it is, by its id only where that is one form’s', () => {
    const precedents = new Precedents()
    const form = { ...found('Visit'), uuid: 'u1' }
    const byId = (formId: string | null) => ({ ...arrival(''), formId })
    const byUuid = (formUuid: string) => ({ ...arrival('else'), formUuid })
    const among = { ...submitter, scope: { kind: 'caller' } } as const
    const asked = [
      [byId('vISIT'), submitter],
      [byId('other'), submitter],
      [byId(null), submitter],
      [byId('Visit'), among],
      [byUuid('u1'), among],
      [byUuid('u2'), submitter],
    ] as const
    for (const [place, [named, by]] of asked.entries()) precedents.remember(`sender ${place}`, named, by, form)
    expect(asked.map((_, place) => precedents.has(`sender ${place}`))).toEqual([true, false, false, false, true, false])
    expect(precedents.find('sender 4', byUuid('u1'))?.form).toBe(form)
    expect(precedents.find('sender 4', byUuid('u2'))).toBeUndefined()
    expect(precedents.find('sender 4', byId('Visit'))).toBeUndefined()
  })

  it('asks for the right to submit where the form or its owner wants it, and among what somebody may submit to', () => {
    const mayBy = (form: Partial<FoundForm>, by: Submitter = submitter) => {
      const precedents = new Precedents()
      precedents.remember('ana', { formUuid: 'u1', formId: null }, by, { ...found('visit'), uuid: 'u1', ...form })
      return precedents.find('ana', { ...arrival('visit'), formUuid: 'u1' })?.premise.may_by
    }
    expect(mayBy({})).toBe('anybody')
    expect(mayBy({ requiresAuth: true })).toBe('right')
    expect(mayBy({ ownerRequiresAuth: true })).toBe('right')
    expect(mayBy({}, { ...submitter, scope: { kind: 'caller' } })).toBe('right')
  })

  it('holds nothing of the submission that named it', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const heldMegabytes = () => {
      collect()
      return process.memoryUsage().heapUsed / 2 ** 20
    }
    const precedents = new Precedents()
    const before = heldMegabytes()
    for (let n = 0; n < 100; n++) {
      const xml = Buffer.from(`${'x'.repeat(2 ** 20)}household_visit_${n}`).toString()
      precedents.remember(`sender ${n}`, arrival(xml.slice(2 ** 20)), submitter, found(`household_visit_${n}`))
    }
    expect(heldMegabytes() - before).toBeLessThan(30)
    expect(precedents.has('sender 99')).toBe(true)
  })
})
