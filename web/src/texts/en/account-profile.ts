import { english } from '../catalogue'

export default english('account-profile', {
  who: 'Who you are',
  firstName: 'First name',
  lastName: 'Last name',
  organization: 'Organization',
  city: 'City',
  country: 'Country',
  noCountry: 'Not said',
  website: 'Website',
  picture: 'Your picture',
  pictureAbout: 'The server draws the picture; others see it beside your name.',
  joined: 'Member since {date}',
  mail: 'E-mail',
  email: 'E-mail address',
  mailAbout: 'Only you see it. Mails about your account and invitations go there.',
  verified: 'Verified',
  unverified: 'Not verified',
  sendMail: 'Send the verification mail',
  mailSent: 'A mail is on its way to {email}',
  currentPassword: 'Your password',
  currentHint: 'Needed to change the address.',
  sending: 'Sending records',
  requireAuth: 'Only people who sign in may send records to my forms',
  requireAuthHint:
    'Without it, whoever knows the address of a form can send to it, unless the form itself asks to sign in.',
})
