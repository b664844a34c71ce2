// What a program may ask for, and how people are told.

/** Of the API; a request that names no scope asks for these. */
export const apiScopes = ['read', 'write', 'groups'] as const

const words: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    read: 'Read everything that you may read: projects, forms and their data.',
    write: 'Add, change and delete in your name.',
    groups: 'See your organizations and teams.',
    openid: 'Know who you are: the number of your account.',
    profile: 'See your name, username, picture and website.',
    email: 'See your e-mail address.',
    offline_access: 'Do this also while you are away.',
  }),
)

export const allScopes: ReadonlySet<string> = new Set(words.keys())

export const scopeWords = (scope: string): string[] => scope.split(' ').flatMap((one) => words.get(one) ?? [])
