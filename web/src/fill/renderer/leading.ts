// The way to the first mistake of a form that is not sent for it.

/** Only what is in sight is laid out: places are guesses at first, and move in the frames in which the page arrives there. */
const arrivalFrames = 20

const fields = ':is(input, textarea, select, button, [tabindex="0"])'
/** A calendar opens with the focus of its field, and would lie over what is said of it. */
const unwanted = ':not([type="file"], [type="hidden"], .p-datepicker-input)'

const openAround = (place: Element): void => {
  const closed = '.panel-content-hidden'
  for (let panel = place.closest(closed); panel; panel = panel.parentElement?.closest(closed) ?? null) {
    panel.querySelector<HTMLElement>('.panel-title')?.click()
  }
}

const isShown = (element: Element): boolean => element.getClientRects().length > 0

const focusWithin = (place: HTMLElement): void => {
  if (place.contains(document.activeElement) || !isShown(place)) return
  const field = [...place.querySelectorAll<HTMLElement>(fields + unwanted)].find(isShown)
  if (field === undefined) place.tabIndex = -1
  const wanted = field ?? place
  wanted.focus({ preventScroll: true })
}

const arriveAt = (place: HTMLElement, frames: number, hadFocus = false): void => {
  // Whoever has gone on to another question is not fetched back.
  if (hadFocus && !place.contains(document.activeElement)) return
  focusWithin(place)
  const isTall = place.getBoundingClientRect().height > window.innerHeight
  place.scrollIntoView({ block: isTall ? 'start' : 'center' })
  const hasFocus = place.contains(document.activeElement)
  if (frames > 1) requestAnimationFrame(() => arriveAt(place, frames - 1, hasFocus))
}

/** Mistakes of values that are not shown have no place: then to the top, where it is told how many there are. */
export const leadTo = (mistakes: readonly { readonly nodeId: string }[]): void => {
  const places = mistakes.map(({ nodeId }) => document.getElementById(`${nodeId}_container`))
  const first = places.find((place) => place !== null)
  if (!first) {
    document.scrollingElement?.scrollTo(0, 0)
    return
  }
  openAround(first)
  requestAnimationFrame(() => arriveAt(first, arrivalFrames))
}
