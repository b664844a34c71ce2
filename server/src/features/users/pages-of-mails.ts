// Where the links of mails lead, as paths of this server. What they carry is added as parameters: `verification_key`; `uid`,
// `token` and `username`; `token` and `email`.
export const pagesOfMails = {
  verification: '/verify',
  reset: '/reset',
  invitation: '/invitation',
} as const
