import { translation } from '../catalogue'
import type en from '../en/sign-in'

export default translation<typeof en>({
  title: 'Iniciar sessão',
  username: 'Utilizador ou endereço de e-mail',
  password: 'Palavra-passe',
  stay: 'Manter a sessão iniciada',
  stayHint: 'Durante {time}, neste dispositivo. Não num que outros usem.',
  signIn: 'Iniciar sessão',
  wrong: 'O nome ou a palavra-passe não estão certos.',
  forgotten: 'Esqueceu a palavra-passe?',
  noAccount: 'Ainda não tem conta? {link}',
  register: 'Crie uma',
  or: 'ou',
  with: 'Iniciar sessão com {provider}',
  connecting: 'O seu fornecedor conhece-o. Inicie sessão aqui uma vez com a palavra-passe e ambos ficam ligados.',
})
