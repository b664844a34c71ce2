// The parts of an account, each with an address of its own.
export const tabs = [
  { name: 'profile', path: '/account' },
  { name: 'password', path: '/account/password' },
  { name: 'sessions', path: '/account/sessions' },
  { name: 'token', path: '/account/token' },
  { name: 'applications', path: '/account/applications' },
  { name: 'look', path: '/account/look' },
] as const
