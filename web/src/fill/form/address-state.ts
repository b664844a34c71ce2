// What the address says of a form that is filled in: which draft it is, or that it was finished. So a page that is loaded anew goes
// on with the draft, and says what became of what was finished, which is never taken up again by accident.

const change = (to: (search: URLSearchParams) => void): void => {
  const search = new URLSearchParams(location.search)
  to(search)
  const query = search.toString()
  history.replaceState(history.state, '', location.pathname + (query === '' ? '' : `?${query}`))
}

/** What the address gave at first is in the draft. */
export const nameDraft = (id: string): void =>
  change((search) => {
    for (const name of [...search.keys()]) if (name.startsWith('d[')) search.delete(name)
    search.set('draft', id)
  })

export const nameFinished = (id: string): void =>
  change((search) => {
    search.delete('draft')
    search.set('sent', id)
  })

/** Empty where it names none. */
export const finishedIn = (search = location.search): string => new URLSearchParams(search).get('sent') ?? ''

/** For another one: as the form was opened at first, with what the address gave then. */
export const nameNew = (first: string): void => {
  history.replaceState(history.state, '', first)
  change((search) => {
    search.delete('draft')
    search.delete('sent')
  })
}
