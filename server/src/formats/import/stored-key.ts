// Names in a form that was uploaded as XML may have prefixes; records know none.
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const storedNames = (key: string): string[] => key.split('/').map(localName)

export const storedKey = (key: string): string => (key.includes(':') ? storedNames(key).join('/') : key)
