import { translation } from '../catalogue'
import type en from '../en/register'

export default translation<typeof en>({
  title: 'Criar uma conta',
  invited: 'Use o endereço a que o convite chegou: aquilo para que foi convidado é partilhado com ele.',
  name: 'O seu nome',
  username: 'Nome de utilizador',
  usernameHint: 'Faz parte dos endereços: letras, algarismos, pontos, hífenes e sublinhados.',
  email: 'Endereço de e-mail',
  password: 'Palavra-passe',
  passwordHint: {
    one: 'Pelo menos {n} carácter.',
    many: 'Pelo menos {n} caracteres.',
    other: 'Pelo menos {n} caracteres.',
  },
  make: 'Criar a conta',
  closed: 'O registo está fechado neste servidor. Peça uma conta a quem o gere.',
  hasAccount: 'Já tem conta? {link}',
  signIn: 'Iniciar sessão',
  doneTitle: 'Falta um passo',
  mailSent:
    'Uma mensagem vai a caminho de {email}. Abra a ligação para mostrar que o endereço é seu. Então aquilo para que foi convidado é partilhado consigo.',
  goOn: 'Continuar',
})
