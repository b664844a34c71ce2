import { translation } from '../catalogue'
import type en from '../en/reset'

export default translation<typeof en>({
  title: 'Uma nova palavra-passe',
  about: 'Diga-nos o endereço de e-mail da sua conta. Chega lá uma mensagem com uma ligação.',
  email: 'Endereço de e-mail',
  send: 'Enviar a mensagem',
  sent: 'Se {email} pertence a uma conta, uma mensagem vai a caminho. A ligação funciona algum tempo, e uma só vez.',
  newTitle: 'Escolha uma nova palavra-passe',
  newFor: 'Para a conta de {name}.',
  newPassword: 'Nova palavra-passe',
  set: 'Guardar a palavra-passe e iniciar sessão',
  linkOld: 'Esta ligação já não funciona: foi usada, ou é demasiado antiga. Peça uma nova.',
  askAgain: 'Pedir outra mensagem',
  signIn: 'Voltar a iniciar sessão',
})
