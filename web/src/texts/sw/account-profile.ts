import { translation } from '../catalogue'
import type en from '../en/account-profile'

export default translation<typeof en>({
  who: 'Wewe ni nani',
  firstName: 'Jina la kwanza',
  lastName: 'Jina la ukoo',
  organization: 'Shirika',
  city: 'Mji',
  country: 'Nchi',
  noCountry: 'Haijatajwa',
  website: 'Tovuti',
  picture: 'Picha yako',
  pictureAbout: 'Seva huchora picha; wengine huiona kando ya jina lako.',
  joined: 'Mwanachama tangu {date}',
  mail: 'Barua pepe',
  email: 'Anwani ya barua pepe',
  mailAbout: 'Ni wewe tu unayeiona. Barua kuhusu akaunti yako na mialiko huenda huko.',
  verified: 'Imethibitishwa',
  unverified: 'Haijathibitishwa',
  sendMail: 'Tuma barua ya uthibitisho',
  mailSent: 'Barua iko njiani kwenda {email}',
  currentPassword: 'Nenosiri lako',
  currentHint: 'Inahitajika kubadilisha anwani.',
  sending: 'Kutuma rekodi',
  requireAuth: 'Walioingia tu ndio wanaoweza kutuma rekodi kwenye fomu zangu',
  requireAuthHint: 'Bila hii, yeyote anayejua anwani ya fomu anaweza kuituma, isipokuwa fomu yenyewe idai kuingia.',
})
