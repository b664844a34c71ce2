/** Hands a file to the person, under this name. */
export const saveFile = (blob: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser reads it after this turn; how long after is up to whoever is asked where to put it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
