import { english } from '../catalogue'

export default english('account-look', {
  about: 'Of this device. Questions of a form are shown in the form’s own languages.',
})
