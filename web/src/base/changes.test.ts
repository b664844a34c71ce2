import { expect, it } from 'vitest'
import { nextTick, ref } from 'vue'
import { changedFields, useChanges } from './changes'

it('only what differs is a change', () => {
  expect(changedFields({ a: '1', b: '2' }, { a: '1', b: '3' })).toEqual({ b: '3' })
})

it('what was typed is a change, what others changed meanwhile is shown and is none', async () => {
  const there = ref({ title: 'Visit', about: '' })
  const { typed, changes, isChanged, takeOver } = useChanges(() => ({ ...there.value }))
  expect(isChanged.value).toBe(false)
  typed.title = 'Visits'
  there.value = { title: 'Visit', about: 'by somebody else' }
  await nextTick()
  expect(typed).toEqual({ title: 'Visits', about: 'by somebody else' })
  expect(changes.value).toEqual({ title: 'Visits' })
  takeOver({ title: 'Visits', about: 'by somebody else' })
  expect(isChanged.value).toBe(false)
})
