import { translation } from '../catalogue'
import type en from '../en/verify'

export default translation<typeof en>({
  title: 'O seu endereço de e-mail',
  about: 'Um clique mostra que as mensagens para este endereço lhe chegam.',
  verify: 'Sim, é o meu endereço',
  done: 'Obrigado, {name}. O seu endereço está verificado, e aquilo para que foi convidado é partilhado consigo.',
  linkOld: 'Esta ligação já não funciona: foi usada, ou é demasiado antiga. Peça uma nova na sua conta.',
  noKey: 'Falta a chave a este endereço. Abra a ligação da mensagem, toda ela.',
  signIn: 'Iniciar sessão',
  goOn: 'Continuar',
})
