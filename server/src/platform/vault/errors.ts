/** Something in a place is not as it was written. Names what it is. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
}

/** It is sealed, and the passphrase does not open it; or one was given and it is not sealed. */
export class WrongPassphrase extends Error {
  override readonly name = 'WrongPassphrase'
}

/** The place is not what was asked for. */
export class PlaceRefused extends Error {
  override readonly name = 'PlaceRefused'
}
