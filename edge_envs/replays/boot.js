/* Unpacks the data of a page, which contain the other scripts, and runs these. */

const text = document.getElementById("data").textContent;
const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
globalThis.unpacked = JSON.parse(await new Response(stream).text());
const script = document.createElement("script");
script.type = "module";
script.textContent = unpacked.script;
document.head.append(script);
