import { defineSettings, setting } from '../../platform/config/index.js'

export const projectSettings = defineSettings('Projects and invitations', {
  mayBePublic: setting.boolean('ALLOW_PUBLIC_DATASETS', {
    default: true,
    doc: 'Whether projects and forms may be public.',
  }),
  invitationDomains: setting.list('PROJECT_INVITATION_EMAIL_DOMAIN_WHITELIST', {
    default: [],
    doc: 'Domains that invitations may be sent to; empty allows any.',
  }),
  invitationUrl: setting.addressByHost('PROJECT_INVITATION_URL', {
    doc: 'Address that invitation mails lead to. Without it the page to make an account at.',
  }),
  invitationSubject: setting.optionalText('PROJECT_INVITATION_SUBJECT', {
    doc: 'Subject of invitation mails, in place of ours.',
  }),
  invitationMessage: setting.optionalText('PROJECT_INVITATION_MESSAGE', {
    doc: 'Text of invitation mails, in place of ours; the link is added below it.',
  }),
})
