/* Lists the games. */

const answer = await fetch("/api/games");
const told = await answer.json();
if (!answer.ok) document.getElementById("error").textContent = told.error;

for (const game of told.games ?? []) {
  const line = document.createElement("li");
  line.textContent = `${game.title}: ${game.summary}`;
  document.getElementById("games").append(line);
}
