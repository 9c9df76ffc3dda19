// Makes the recordings that read_with_h5py.py reads, in the folder of its argument.
#include <csignal>
#include <iostream>

#include "record/some_recording.hpp"

using namespace condyle;
using namespace condyle::testing;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "record_for_h5py FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  const Scene scene = scene_of_free_bodies(2);
  {
    Recorder recorder(folder + "/known.h5", scene, {}, {.expected_frames = 101, .command = "record_for_h5py"});
    record_steps(recorder, scene, 100);
    recorder.close();
  }
  {
    Recorder recorder(folder + "/grown.h5", scene, {}, {.expected_frames = 3});
    record_steps(recorder, scene, 100);
    recorder.close();
  }
  Recorder recorder(folder + "/killed.h5", scene, {}, {.expected_frames = 1000, .flush_s = 1e9});
  record_steps(recorder, scene, 100);
  recorder.flush();
  for (std::uint64_t i = 101; i < 120; ++i) recorder.add(some_state(scene, i), some_control(scene, i), some_report(i));
  std::cout << "flushed" << std::endl;  // the script reads killed.h5 now, while it is open here
  std::cin.get();
  std::raise(SIGKILL);
}
