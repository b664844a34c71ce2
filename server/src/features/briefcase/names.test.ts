import { describe, expect, it } from 'vitest'
import { beginning, cursorIn, cursorText } from './cursor.js'
import { submissionKeyIn } from './submission-key.js'

describe('the name of a record', () => {
  it.each([
    ['visit[@version=5 and @uiVersion=null]/data[@key=uuid:abc]', 'visit', 'abc'],
    ['visit[@version=Optional[5] and @uiVersion=null]/data[@key=uuid:abc]', 'visit', 'abc'],
    ['visit[@version=Optional.empty and @uiVersion=null]/visit[@key=uuid:abc]', 'visit', 'abc'],
    ['my form.2[@version=null and @uiVersion=null]/data[@key=abc]', 'my form.2', 'abc'],
    ['visit[@version=@key=x and @uiVersion=null]/data[@key=uuid:a-b]', 'visit', 'a-b'],
    ['visit[@version=null and @uiVersion=null]/data[@key=uuid:abc', 'visit', 'abc'],
    ['visit[]/d[@key=uuid:a]b]', 'visit', 'a]b'],
  ])('%j is of %j, with the id %j', (text, idString, uuid) => expect(submissionKeyIn(text)).toEqual({ idString, uuid }))

  it.each(['', 'visit', '[@version=1]/data[@key=uuid:abc]', 'visit[]/data[@key=]', '@key=uuid:a'])(
    '%j names none',
    (text) => expect(submissionKeyIn(text)).toBeUndefined(),
  )
})

describe('a cursor', () => {
  it('is read back as it was written, in the shape of Aggregate', () => {
    const text = cursorText({ changeNo: 12, id: 345 }, new Date('2026-01-10T14:22:05.123Z'))
    expect(cursorIn(text)).toEqual({ changeNo: 12, id: 345 })
    expect(text).toBe(
      '<cursor xmlns="http://www.opendatakit.org/cursor"><attributeName>_LAST_UPDATE_DATE</attributeName><attributeValue>2026-01-10T14:22:05.123+0000</attributeValue><uriLastReturnedValue>12-345</uriLastReturnedValue><isForwardCursor>true</isForwardCursor></cursor>',
    )
  })

  it.each(['', ' ', '0'])('%j is the beginning', (text) => expect(cursorIn(text)).toEqual(beginning))

  it.each(['7', 'x', '<cursor/>', '<uriLastReturnedValue>uuid:a</uriLastReturnedValue>', '-1'])('%j is none', (text) =>
    expect(cursorIn(text)).toBeUndefined(),
  )
})
