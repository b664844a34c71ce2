// What was typed and is not saved: whoever would leave it is asked first. Parts of the application tell what they hold.
interface Holder {
  has(): boolean
  forget(): void
}

const holders = new Set<Holder>()

export const holdUnsaved = (holder: Holder): void => {
  holders.add(holder)
}

export const hasUnsaved = (): boolean => [...holders].some((holder) => holder.has())

export const forgetUnsaved = (): void => {
  for (const holder of holders) holder.forget()
}

globalThis.addEventListener?.('beforeunload', (event) => {
  if (hasUnsaved()) event.preventDefault()
})
