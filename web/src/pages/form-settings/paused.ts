// Why a service rests, in parts, so that each language says it in its own words.

export type Paused =
  | { readonly kind: 'person'; readonly who: string }
  | { readonly kind: 'failing'; readonly since: string; readonly error: string }
  | { readonly kind: 'other'; readonly text: string }

const failing = 'Paused: every call has failed since '
const lastOne = '. The last one: '

export const pausedOf = (reason: string): Paused => {
  if (reason.startsWith('Switched off by ')) return { kind: 'person', who: reason.slice(16).replace(/\.$/, '') }
  const middle = reason.indexOf(lastOne)
  if (reason.startsWith(failing) && middle > 0) {
    return {
      kind: 'failing',
      since: reason.slice(failing.length, middle),
      error: reason.slice(middle + lastOne.length),
    }
  }
  return { kind: 'other', text: reason }
}
