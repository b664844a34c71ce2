// What has stopped because whoever it acted for has lost the right to it, in the words that its owners are told.

/** Who something acts for. */
export interface Actor {
  readonly username: string
  readonly isActive: boolean
}

export interface Lapsed {
  /** Whose owners are told. */
  readonly target: { readonly type: 'xform' | 'project'; readonly id: number }
  /** Null when the account is gone. */
  readonly actor: Actor | null
  /** Behind "no longer", like "manages the form". */
  readonly right: string
  /** What has stopped, and what to do, for everybody who has to do with the target. */
  readonly line: string
  /** The same for its owners, where that is more. */
  readonly ownersLine?: string
}

export const lossOf = (actor: Actor | null, right: string): string => {
  if (actor === null) return 'the account that it acted for is gone'
  return actor.isActive ? `${actor.username} no longer ${right}` : `the account of ${actor.username} is closed`
}
