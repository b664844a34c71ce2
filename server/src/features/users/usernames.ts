// Names of accounts. People and organizations share one namespace, compared in lower case.

/** What collides with routes or internals, and nothing more: people do want to be called `demo`. */
const reserved = new Set(
  (
    'admin administrator anonymous anonymoususer api accounts avatar oauth oidc o static media public me key test verify_email ' +
    'send_verification_email reset expire starred members login logout register root system support'
  ).split(' '),
)

/** A name that ends like a format could not be told from a format suffix in an address. */
const formatEnding = /\.(json|csv|xls|xlsx|kml|xml|geojson|html|jsonp|yaml|api)$/

/** Compatibility forms (full width, ligatures) are the letters they look like. */
export const normalizeUsername = (given: string): string => given.normalize('NFKC').trim().toLowerCase()

/** What is wrong with the characters of a name, in the caller's words; undefined when it may be taken. */
export const usernameFault = (given: string): string | undefined => {
  const name = normalizeUsername(given)
  if (!/^[\p{L}\p{N}_@+.-]+$/u.test(name)) {
    return 'username may only contain alphanumeric characters, _, @, +, . and -'
  }
  if ([...name].length < 3) return 'Ensure this field has at least 3 characters.'
  if (/^\p{N}+$/u.test(name)) return 'Username cannot be purely numeric.'
  if (formatEnding.test(name)) return `username may not end in ${formatEnding.exec(name)?.[0]}`
  if (/^\.+$/.test(name)) return 'username may not consist of dots alone'
  return reserved.has(name) ? `${name} is a reserved name, please choose another` : undefined
}

/** What a name that somebody signs in with could be stored as: a username or an address. */
export const signInNames = (given: string): string[] => [...new Set([normalizeUsername(given), emailKey(given)])]

/** How e-mail addresses are compared. */
export const emailKey = (email: string): string => email.normalize('NFC').trim().toLowerCase()
